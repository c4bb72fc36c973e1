/** A value that has stayed the same for a moment, so that not every key pressed asks the server. */
import { useEffect, useState } from "preact/hooks"

const pauseMillis = 200

export const useDebounced = <A>(value: A): A => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(() => value), pauseMillis)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
