/** What a request said and was answered, where its workspace or a guardrail keeps it. */
import type { OperationResponse } from "@signalbox/core/contract"
import { useApi } from "../../api/useApi.ts"
import { Loading } from "../../components/Loading.tsx"
import { Section } from "../../components/Section.tsx"

type Content = OperationResponse<"generations.getContent">["data"]

export const KeptContent = ({ id }: { readonly id: string }) => {
  const content = useApi<"generations.getContent">("api/v1/generation/content", { id })
  return (
    <Section title="Prompt and answer">
      {content.error?.status === 404 ? (
        <div class="empty">
          Nothing is kept of this request. A workspace keeps prompts and answers with{" "}
          <code>keep_content</code>.
        </div>
      ) : (
        <Loading loaded={content}>{({ data }) => <Said content={data} />}</Loading>
      )}
    </Section>
  )
}

const Said = ({ content: { input, output } }: { readonly content: Content }) => (
  <>
    <p class="muted small">Secrets and inline media were left out before it was stored.</p>
    <dl class="facts">
      {"prompt" in input ? (
        <>
          <dt>Prompt</dt>
          <dd>
            <pre>{input.prompt}</pre>
          </dd>
        </>
      ) : (
        input.messages.map((message, at) => <Message key={at} message={message} />)
      )}
      {output.reasoning !== null && (
        <>
          <dt>Reasoning</dt>
          <dd>
            <pre>{output.reasoning}</pre>
          </dd>
        </>
      )}
      <dt>Answer</dt>
      <dd>
        {output.completion === null ? (
          <span class="muted">none</span>
        ) : (
          <pre>{output.completion}</pre>
        )}
        {output.is_truncated === true && (
          <span class="muted small">Only the beginning is kept.</span>
        )}
      </dd>
    </dl>
  </>
)

/** The text of a message, or all of it in JSON where it is more than a text. */
const Message = ({ message }: { readonly message: unknown }) => {
  const { content, role, ...rest } = Object(message) as Readonly<Record<string, unknown>>
  const isText = typeof content === "string" && Object.keys(rest).length === 0
  return (
    <>
      <dt>{typeof role === "string" ? role : "message"}</dt>
      <dd>
        <pre>{isText ? content : JSON.stringify({ content, ...rest }, null, 2)}</pre>
      </dd>
    </>
  )
}
