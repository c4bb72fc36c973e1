/** A dialog that leads to any page, and to a request by its id, without the mouse. */
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { navigate } from "../routing/location.ts"
import { findCommands } from "./findCommands.ts"
import { pages } from "./pages.ts"

export const GoTo = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const list = useId()
  const [typed, setTyped] = useState("")
  const [chosen, setChosen] = useState(0)
  const commands = findCommands(pages, typed)
  const current = commands[Math.min(chosen, commands.length - 1)]

  const open = () => {
    // A form that is open would lose what is in it.
    if (document.querySelector("dialog[open]") !== null) return
    setTyped("")
    setChosen(0)
    dialog.current?.showModal()
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      open()
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])

  useEffect(() => {
    dialog.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" })
  }, [current?.target])

  const go = (target: string) => {
    dialog.current?.close()
    navigate(target)
  }
  const move = (step: number) =>
    setChosen((commands.indexOf(current!) + step + commands.length) % commands.length)
  const toId = (target: string) => `${list}${target}`

  return (
    <>
      <button type="button" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        Go to <kbd aria-hidden="true">Ctrl K</kbd>
      </button>
      <dialog ref={dialog} class="go-to" aria-label="Go to">
        <input
          role="combobox"
          list={undefined}
          aria-label="Page, or id of a request"
          aria-expanded={true}
          aria-controls={list}
          aria-activedescendant={current === undefined ? undefined : toId(current.target)}
          placeholder="Page, or id of a request"
          autocomplete="off"
          spellcheck={false}
          value={typed}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            setChosen(0)
          }}
          onKeyDown={(event) => {
            if (current === undefined) return
            if (event.key === "ArrowDown") move(1)
            else if (event.key === "ArrowUp") move(-1)
            else if (event.key === "Enter") go(current.target)
            else return
            event.preventDefault()
          }}
        />
        <ul id={list} role="listbox" aria-label="Where to go">
          {commands.map((command) => (
            <li
              key={command.target}
              id={toId(command.target)}
              role="option"
              aria-selected={command === current}
              onClick={() => go(command.target)}
            >
              <bdi>{command.label}</bdi> <span class="muted small">{command.kind}</span>
            </li>
          ))}
        </ul>
        <p class="muted small" role="status">
          {commands.length === 0
            ? "No page has this name."
            : "Arrows choose, Enter opens, Esc closes. Ctrl K or ⌘ K opens this from anywhere."}
        </p>
      </dialog>
    </>
  )
}
