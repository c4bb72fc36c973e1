/** The tools of a chat as JSON, with what is wrong with them while they are typed. */
import { Field } from "../../components/Field.tsx"
import { exampleTools, parseTools, toToolName } from "./parseTools.ts"

export const ToolsEditor = ({
  onChange,
  text
}: {
  readonly text: string
  readonly onChange: (text: string) => void
}) => {
  const tools = parseTools(text)
  const isWrong = typeof tools === "string"
  return (
    <>
      <Field label="Tools as JSON" isWide>
        <textarea
          rows={text === "" ? 2 : 10}
          value={text}
          spellcheck={false}
          aria-invalid={isWrong}
          aria-describedby="tools-problem"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      </Field>
      <p id="tools-problem" class={isWrong ? "text-bad small" : "muted small"} role="status">
        {isWrong ? tools : describeTools(tools.map(toToolName))}
      </p>
      {text === "" && (
        <div class="row-actions">
          <button type="button" onClick={() => onChange(exampleTools)}>
            Insert an example
          </button>
        </div>
      )}
    </>
  )
}

const describeTools = (names: ReadonlyArray<string>): string =>
  names.length === 0
    ? "No tools."
    : `${names.length} ${names.length === 1 ? "tool" : "tools"}: ${names.join(", ")}.`
