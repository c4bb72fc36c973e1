/** Plans a request without sending it: who would serve it, why not the others, and what each preference changes. */
import { useLayoutEffect, useState } from "preact/hooks"
import { useApi, useLoaded } from "../../api/useApi.ts"
import { Badge } from "../../components/Badge.tsx"
import { Field } from "../../components/Field.tsx"
import { Loading } from "../../components/Loading.tsx"
import { ModelOptions } from "../../components/ModelOptions.tsx"
import { Section } from "../../components/Section.tsx"
import { Table } from "../../components/Table.tsx"
import { setQuery } from "../../routing/location.ts"
import type { PageProps } from "../../shell/Page.ts"
import { loadPlan, loadVariations, type Plan } from "./plan.ts"
import { PlanView } from "./PlanView.tsx"
import { PreferenceFields } from "./PreferenceFields.tsx"
import {
  findOperation,
  getPreferences,
  type Json,
  operations,
  parseRequest,
  withOperation
} from "./request.ts"

export const RoutePage = ({ location: { query } }: PageProps) => {
  const { request: text = "", workspace } = query
  const request = parseRequest(text)
  const plan = useLoaded(
    request === undefined ? undefined : `${workspace ?? ""}\n${text}`,
    (_, signal) => loadPlan(request ?? {}, workspace, signal)
  )
  return (
    <>
      <RequestForm text={text} workspace={workspace ?? ""} />
      {request === undefined ? (
        <div class="empty">
          {text === ""
            ? "Choose a model to see where a request for it would go. Nothing is sent to a provider."
            : "The request in the address is no JSON object."}
        </div>
      ) : (
        <Loading loaded={plan}>
          {(plan) => (
            <>
              <PlanView plan={plan} />
              {Object.keys(getPreferences(request)).length > 0 && (
                <Variations request={request} workspace={workspace} plan={plan} />
              )}
            </>
          )}
        </Loading>
      )}
    </>
  )
}

const RequestForm = ({
  text: planned,
  workspace
}: {
  /** The request in the address. */
  readonly text: string
  readonly workspace: string
}) => {
  const request = parseRequest(planned) ?? operations["chat"] ?? {}
  const workspaces = useApi<"workspaces.list">("api/v1/workspaces", { limit: 100 })
  const [draft, setDraft] = useState(request)
  /** What is typed as JSON; undefined unless that is where the request was edited last. */
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [caller, setCaller] = useState(workspace)
  const text = typed ?? JSON.stringify(draft, null, 2)
  const parsed = parseRequest(text)
  const model = typeof draft["model"] === "string" ? draft["model"] : ""
  const change = (request: Json) => {
    setDraft(request)
    setTyped(undefined)
  }

  // Another address, such as by the browser's back; a form made anew would lose the focus of its own button.
  useLayoutEffect(() => {
    change(request)
    setCaller(workspace)
  }, [planned, workspace])

  const submit = (event: Event) => {
    event.preventDefault()
    if (parsed !== undefined) setQuery({ request: JSON.stringify(parsed), workspace: caller })
  }
  return (
    <form onSubmit={submit}>
      <div class="controls">
        <Field label="Operation">
          <select
            value={findOperation(draft) ?? ""}
            onChange={({ currentTarget: { value } }) => change(withOperation(draft, value))}
          >
            {Object.keys(operations).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Model">
          <input
            required
            list="models"
            value={model}
            onInput={({ currentTarget: { value } }) => change({ ...draft, model: value })}
          />
          <ModelOptions id="models" typed={model} />
        </Field>
        <Field label="Workspace of the caller">
          <select value={caller} onChange={({ currentTarget: { value } }) => setCaller(value)}>
            <option value="">that of this console</option>
            {workspaces.data?.data.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <button class="primary">Plan</button>
      </div>
      <details open={Object.keys(getPreferences(request)).length > 0}>
        <summary>Preferences</summary>
        <div class="controls">
          <PreferenceFields request={draft} onChange={change} />
        </div>
      </details>
      <details>
        <summary>The whole request</summary>
        <textarea
          aria-label="The whole request, as JSON"
          rows={12}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget: { value } }) => {
            setTyped(value)
            const edited = parseRequest(value)
            if (edited !== undefined) setDraft(edited)
          }}
        />
        {parsed === undefined && <p class="text-bad">This is no JSON object.</p>}
      </details>
    </form>
  )
}

const Variations = ({
  plan,
  request,
  workspace
}: {
  readonly request: Json
  readonly workspace: string | undefined
  readonly plan: Plan
}) => {
  const variations = useLoaded(`${plan.seed}\n${JSON.stringify(request)}`, (_, signal) =>
    loadVariations(request, workspace, plan, signal)
  )
  return (
    <Section title="If one preference is dropped">
      <Loading loaded={variations}>
        {(variations) => (
          <Table
            caption="What changes without each preference, under the same conditions"
            rows={variations}
            toKey={({ preference }) => preference}
            columns={[
              {
                title: "Preference",
                cell: ({ preference, value }) => (
                  <>
                    {preference} <code class="muted">{JSON.stringify(value)}</code>
                  </>
                )
              },
              { title: "First", cell: ({ first = "none" }) => first },
              {
                title: "Change",
                cell: ({ added, isReordered, removed }) => (
                  <>
                    {added.map((id) => (
                      <div key={id}>
                        <Badge tone="good">added</Badge> {id}
                      </div>
                    ))}
                    {removed.map((id) => (
                      <div key={id}>
                        <Badge tone="bad">left out</Badge> {id}
                      </div>
                    ))}
                    {isReordered && <Badge tone="warn">another order</Badge>}
                    {added.length + removed.length === 0 && !isReordered && (
                      <span class="muted">nothing changes</span>
                    )}
                  </>
                )
              }
            ]}
          />
        )}
      </Loading>
    </Section>
  )
}
