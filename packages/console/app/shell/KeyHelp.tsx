/** A dialog that says what keys do, and switches single letters off. */
import { Fragment } from "preact"
import { useRef } from "preact/hooks"
import { setPreferences, usePreferences } from "../preferences/preferences.ts"
import { useKey } from "./useKey.ts"

const keys: ReadonlyArray<readonly [keys: ReadonlyArray<string>, what: string]> = [
  [["Ctrl K", "⌘ K"], "Go to a page, or to a request by its id"],
  [["J"], "The next request of the list, while one is open"],
  [["K"], "The request before it"],
  [["Esc"], "Close a request or a dialog"],
  [["?"], "Show this"]
]

export const KeyHelp = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const { hasLetterKeys } = usePreferences()
  const open = () => dialog.current?.showModal()
  useKey("?", open)
  return (
    <>
      <button type="button" aria-keyshortcuts="?" onClick={open}>
        Keys <kbd aria-hidden="true">?</kbd>
      </button>
      <dialog ref={dialog} aria-label="Keys">
        <h2>Keys</h2>
        <dl class="facts keys">
          {keys.map(([names, what]) => (
            <Fragment key={what}>
              <dt>
                {names.map((name) => (
                  <kbd key={name}>{name}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </Fragment>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={hasLetterKeys}
            onChange={({ currentTarget: { checked } }) =>
              setPreferences({ hasLetterKeys: checked })
            }
          />
          Single letters do something, here in this browser
        </label>
        <div class="choices">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  )
}
