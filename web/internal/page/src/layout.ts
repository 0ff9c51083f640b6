// The size of the window.

import { useLayoutEffect, useState } from "preact/hooks";

const phone = matchMedia("(max-width: 640px)");

/** usePhone reports whether the window is as narrow as a phone. */
export function usePhone(): boolean {
  const [is, setIs] = useState(phone.matches);
  useLayoutEffect(() => {
    const changed = () => setIs(phone.matches);
    phone.addEventListener("change", changed);
    return () => phone.removeEventListener("change", changed);
  }, []);
  return is;
}
