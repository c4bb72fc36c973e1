/** The time, again every so often. */
import { useEffect, useState } from "preact/hooks"

/** Milliseconds since the epoch. While `isHeld` it stays. */
export const useNow = (everyMillis: number, isHeld = false): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (isHeld) return
    const timer = setInterval(() => setNow(Date.now()), everyMillis)
    return () => clearInterval(timer)
  }, [everyMillis, isHeld])
  return now
}
