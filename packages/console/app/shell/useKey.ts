/** Runs something when a key is pressed outside of fields and dialogs, where it has a meaning of its own. */
import { useEffect, useRef } from "preact/hooks"
import { getPreferences } from "../preferences/preferences.ts"

/** `run` undefined: the key does nothing. Letters can be switched off, since voice control and a hand that rests may press them. */
export const useKey = (key: string, run: (() => void) | undefined): void => {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== key || event.defaultPrevented || isNeeded(event)) return
      if (key.length === 1 && !getPreferences().hasLetterKeys) return
      if (latest.current === undefined) return
      event.preventDefault()
      latest.current()
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [key])
}

const isNeeded = ({ altKey, ctrlKey, isComposing, metaKey, target }: KeyboardEvent): boolean =>
  altKey ||
  ctrlKey ||
  metaKey ||
  isComposing ||
  document.querySelector("dialog[open]") !== null ||
  (target instanceof Element && target.matches("input:not([type=checkbox]), select, textarea"))
