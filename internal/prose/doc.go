// Package prose holds the checks that comments, documents and errors stay plain English.
package prose
