/** Copies a text, and shows it where the browser has no clipboard, as on plain HTTP. */
import { useEffect, useState } from "preact/hooks"

export const CopyButton = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const [state, setState] = useState<"copied" | "idle" | "shown">("idle")
  useEffect(() => {
    if (state !== "copied") return
    const timer = setTimeout(() => setState("idle"), 2_000)
    return () => clearTimeout(timer)
  }, [state])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setState("copied")
    } catch {
      setState("shown")
    }
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" class="muted small">
        {state === "copied" && "Copied"}
      </span>
      {state === "shown" && (
        <textarea
          aria-label={label}
          readOnly
          rows={5}
          value={text}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </>
  )
}
