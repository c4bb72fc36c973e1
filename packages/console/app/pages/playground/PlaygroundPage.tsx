/** Asks several models the same, side by side, and shows what they cost and where they went. */
import { useState } from "preact/hooks"
import { isAllowed } from "../../api/request.ts"
import { CopyButton } from "../../components/CopyButton.tsx"
import { Field } from "../../components/Field.tsx"
import { parseList } from "../../components/FormField.ts"
import { ModelOptions } from "../../components/ModelOptions.tsx"
import { ReadOnlyNote } from "../../components/ReadOnlyNote.tsx"
import { Section } from "../../components/Section.tsx"
import type { PageProps } from "../../shell/Page.ts"
import type { Json } from "../route/request.ts"
import { Answer } from "./Answer.tsx"
import { examples, makeRequest, type Typed } from "./makeRequest.ts"
import { type Client, clients, toCode } from "./toCode.ts"
import { ToolsEditor } from "./ToolsEditor.tsx"

/** So many requests are sent at once at most. */
const maxModels = 6

interface Asked {
  readonly kind: Typed["kind"]
  readonly requests: ReadonlyArray<{ readonly model: string; readonly request: Json }>
  readonly round: number
}

export const PlaygroundPage = ({ session }: PageProps) => {
  const [models, setModels] = useState("")
  const [typed, setTyped] = useState<Typed>({
    kind: "chat",
    tools: "",
    isStreamed: true,
    ...examples.chat
  })
  const [problem, setProblem] = useState("")
  const [asked, setAsked] = useState<Asked | undefined>(undefined)
  const ask = (round: number) => {
    const names = Array.from(new Set(parseList(models))).slice(0, maxModels)
    const requests = names.map((model) => ({ model, request: makeRequest(typed, model) }))
    const wrong = requests.find(({ request }) => typeof request === "string")?.request
    setProblem(names.length === 0 ? "Name a model." : typeof wrong === "string" ? wrong : "")
    if (names.length === 0 || wrong !== undefined) return
    const made = requests.flatMap(({ model, request }) =>
      typeof request === "string" ? [] : [{ model, request }]
    )
    setAsked({ kind: typed.kind, requests: made, round })
  }
  return (
    <>
      <ReadOnlyNote session={session} group="playground" actions="send what you plan" />
      <form
        class="playground"
        onSubmit={(event) => {
          event.preventDefault()
          if (isAllowed(session, "playground")) ask((asked?.round ?? 0) + 1)
          else ask(0)
        }}
      >
        <Field label={`Models, separated by commas, up to ${maxModels}`} isWide>
          <input
            list="playground-models"
            value={models}
            onInput={({ currentTarget }) => setModels(currentTarget.value)}
          />
        </Field>
        <ModelOptions id="playground-models" typed={models} />
        <Field label="Ask for">
          <select
            value={typed.kind}
            onChange={({ currentTarget }) => {
              const kind = currentTarget.value === "chat" ? "chat" : "decisions"
              setTyped({ ...typed, kind, ...examples[kind] })
            }}
          >
            <option value="chat">a chat</option>
            <option value="decisions">a Decision</option>
          </select>
        </Field>
        <Field label={typed.kind === "chat" ? "Prompt" : "State"} isWide>
          <textarea
            rows={4}
            value={typed.prompt}
            onInput={({ currentTarget }) => setTyped({ ...typed, prompt: currentTarget.value })}
          />
        </Field>
        {typed.kind === "chat" && (
          <ToolsEditor text={typed.tools} onChange={(tools) => setTyped({ ...typed, tools })} />
        )}
        <Field
          label={
            typed.kind === "chat"
              ? "Other fields as JSON, such as temperature and provider"
              : "Questions and other fields as JSON"
          }
          isWide
        >
          <textarea
            rows={typed.kind === "chat" ? 4 : 12}
            value={typed.more}
            onInput={({ currentTarget }) => setTyped({ ...typed, more: currentTarget.value })}
          />
        </Field>
        {typed.kind === "chat" && (
          <label class="check">
            <input
              type="checkbox"
              checked={typed.isStreamed}
              onChange={({ currentTarget }) =>
                setTyped({ ...typed, isStreamed: currentTarget.checked })
              }
            />
            <span>Stream: show the answer while it is written</span>
          </label>
        )}
        {problem !== "" && (
          <p class="text-bad" role="alert">
            {problem}
          </p>
        )}
        <div class="row-actions">
          <button type="button" onClick={() => ask(0)}>
            Plan
          </button>
          {isAllowed(session, "playground") && (
            <button type="submit" class="primary">
              Send
            </button>
          )}
        </div>
        <p class="muted small">
          Requests cost as any request; they are recorded for you and count under your limits.
        </p>
      </form>
      {asked !== undefined && (
        <>
          <div class="answers">
            {asked.requests.map(({ model, request }) => (
              <Answer
                key={model}
                kind={asked.kind}
                model={model}
                request={request}
                round={asked.round}
                session={session}
              />
            ))}
          </div>
          {asked.requests[0] !== undefined && (
            <Code kind={asked.kind} request={asked.requests[0].request} />
          )}
        </>
      )}
    </>
  )
}

const Code = ({ kind, request }: { readonly kind: Typed["kind"]; readonly request: Json }) => {
  const [client, setClient] = useState<Client>("curl")
  const code = toCode(client, kind, request)
  return (
    <Section title="As code">
      <div class="controls" role="group" aria-label="Client">
        {clients.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === client}
            onClick={() => setClient(each)}
          >
            {each}
          </button>
        ))}
      </div>
      {code === undefined ? (
        <p class="muted">This client has no Decisions; take the client of Signalbox.</p>
      ) : (
        <>
          <pre>{code}</pre>
          <CopyButton label="Copy code" text={code} />
        </>
      )}
    </Section>
  )
}
