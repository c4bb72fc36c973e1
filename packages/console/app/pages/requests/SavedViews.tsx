/** Filters and an order under a name, which the operators of the workspace share: opening, saving and deleting them. */
import { useState } from "preact/hooks"
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { usePages } from "../../api/usePages.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Field } from "../../components/Field.tsx"
import { LoadMore } from "../../components/LoadMore.tsx"
import { ActionResult, useAction } from "../../components/useAction.tsx"
import { toHash } from "../../routing/location.ts"
import type { FilterValues } from "./filters.ts"
import { formatFilterText } from "./formatFilterText.ts"

type SavedView = OperationResponse<"savedViews.list">["data"][number]

const path = "api/v1/signalbox/saved-views"

export const SavedViews = ({
  session,
  sort,
  values
}: {
  readonly session: Session
  /** What a new view has. */
  readonly values: FilterValues
  readonly sort: SavedView["sort"] | undefined
}) => {
  const views = usePages<SavedView>(path)
  const canChange = isAllowed(session, "views")
  const rows = views.data ?? []
  if (rows.length === 0 && !canChange) return null
  return (
    <details class="views">
      <summary>Saved views{rows.length > 0 && ` (${rows.length})`}</summary>
      {views.error !== undefined && <p class="text-bad">{views.error.message}</p>}
      {rows.length > 0 && (
        <ul aria-label="Saved views">
          {rows.map((view) => (
            <li key={view.id}>
              <a href={toHash(["requests"], { ...view.filters, sort: view.sort ?? undefined })}>
                {view.name}
              </a>{" "}
              <span class="muted small">{describe(view)}</span>{" "}
              {canChange && (
                <ActionButton
                  label="Delete view"
                  about={view.name}
                  isDestructive
                  run={() => remove(session, view)}
                  onDone={views.reload}
                >
                  <p>It goes for every operator of this workspace; the requests stay.</p>
                </ActionButton>
              )}
            </li>
          ))}
        </ul>
      )}
      <LoadMore pages={views} />
      {canChange && (
        <SaveView session={session} values={values} sort={sort} onSaved={views.reload} />
      )}
    </details>
  )
}

const describe = ({ filters, sort }: SavedView): string =>
  [formatFilterText(filters), ...(sort === null ? [] : [`by ${sort}`])]
    .filter((part) => part !== "")
    .join(", ")

const SaveView = ({
  onSaved,
  session,
  sort,
  values
}: {
  readonly session: Session
  readonly values: FilterValues
  readonly sort: SavedView["sort"] | undefined
  readonly onSaved: () => void
}) => {
  const [name, setName] = useState("")
  const action = useAction()
  const save = async () => {
    await create(session, { name: name.trim(), filters: values, sort: sort ?? null })
    setName("")
    onSaved()
    return `Saved as ${name.trim()}.`
  }
  return (
    <form
      class="controls"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== "") void action.start(save)
      }}
    >
      <Field label="Save the present filters and order as">
        <input
          value={name}
          maxLength={200}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </Field>
      <button disabled={action.progress.step === "running"}>Save view</button>
      <ActionResult action={action} />
    </form>
  )
}

const create = (session: Session, view: Pick<SavedView, "filters" | "name" | "sort">) =>
  act<"savedViews.create">(session, "POST", path, view)

const remove = async (session: Session, { id, ...view }: SavedView) => {
  await act<"savedViews.delete">(session, "DELETE", `${path}/${encodeURIComponent(id)}`)
  return {
    text: `${view.name} is deleted.`,
    undo: async () => {
      await create(session, { name: view.name, filters: view.filters, sort: view.sort })
      return `${view.name} is saved again.`
    }
  }
}
