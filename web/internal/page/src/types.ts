// The answers of the server, as docs/formats.md describes them.

export type Side = "light" | "dark";

export interface Move {
  from: number;
  to: number;
  text: string;
  capture: boolean;
  rosette: boolean;
}

export interface Turn extends Move {
  side: Side;
  roll: number;
}

/** RuleSet is a rule set, with its board. */
export interface RuleSet {
  name: string;
  title: string;
  about: string;
  pieces: number;
  columns: string[]; // of the board, A first: # for a tile and . for a gap
  paths: [string[], string[]]; // tiles of Light's and Dark's
  rosettes: string[];
  dice: number[]; // weights of the rolls
  safe_rosettes: boolean;
  players?: Player[];
}

export interface View {
  game: string;
  pieces: number;
  rules?: RuleSet; // unless they are Finkel's
  players: [string, string];
  board: number[];
  side: Side;
  roll: number | null;
  moves: Move[];
  more: boolean;
  result: string;
  undo: boolean;
  redo: boolean;
  turns: Turn[];
  why?: string; // the reason why its players cannot go on here
  you?: Side; // of this browser, in a game by a link; the page sets it
}

export interface Hint extends Move {
  win: number;
  regret: number;
  mark: string;
  line?: string[];
}

export interface Hints {
  by: string;
  before: number;
  moves: Hint[];
}

export interface AnalysisPlayer {
  decisions: number;
  regret: number;
  optimal: number;
  luck: number;
  adjusted: number;
  inaccuracies: number;
  mistakes: number;
  blunders: number;
}

export interface AnalysisMove {
  turn: number;
  side: Side;
  roll: number;
  move: string;
  best: string;
  win_before: number;
  win: number;
  regret: number;
  mark: string;
}

export interface Analysis {
  by: string;
  players: [AnalysisPlayer, AnalysisPlayer];
  turning: number[];
  moves: AnalysisMove[];
}

export interface About {
  version: string;
  server: boolean;
  rules: RuleSet[]; // with their players
  forms: string[];
  levels: { level: number; regret: number }[];
}

/** Player is a player to choose. */
export interface Player {
  name: string;
  title: string;
  most: number; // pieces of the largest game it can play here
  why?: string; // the reason why it cannot play larger ones
}

export interface Puzzle {
  number: number;
  title: string;
  board: number[];
  side: Side;
  roll: number;
  moves: Hint[];
}

/** Shared is a game of two people by a link. */
export interface Shared {
  id: string;
  version: number; // of the state
  view: View;
  seats: [boolean, boolean]; // taken
  first: Side; // began the game, and reveals its nonce last
  commit: string; // hash of the server's secret
  hash: string; // of the nonce of the first player
  nonces: [string, string]; // "" before they are given
  secret?: string; // after the game
  again?: string; // id of the rematch
  watching: number;
}

/** Place is the seat that this browser has in a game by a link. */
export interface Place {
  token: string; // its secret
  side: Side;
  nonce: string; // its number for the dice, 32 hexadecimal digits
}

export interface TextFile {
  name: string;
  text: string;
}
