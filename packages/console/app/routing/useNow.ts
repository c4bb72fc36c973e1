/** The time, again every so often. */
import { useEffect, useState } from "preact/hooks"

/** Milliseconds since the epoch. */
export const useNow = (everyMillis: number): number => {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMillis)
    return () => clearInterval(timer)
  }, [everyMillis])
  return now
}
