/** Creates a key, shows its secret once, and waits for its first request. */
import { useEffect } from "preact/hooks"
import { act, type Session } from "../../api/request.ts"
import { useApi } from "../../api/useApi.ts"
import type { Names } from "../../api/useNames.ts"
import { CopyButton } from "../../components/CopyButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { Secret } from "../../components/Secret.tsx"
import { formatTime } from "../../format/format.ts"
import { toHash } from "../../routing/location.ts"
import { toCurl } from "../requests/toCurl.ts"
import { explainLimit, makeNewKeyFields, toNewKey } from "./keyForm.ts"

export const CreateKey = ({
  names,
  reload,
  session
}: {
  readonly names: Names
  readonly session: Session
  readonly reload: () => void
}) => (
  <FormButton
    label="Create key"
    about=""
    isNew
    fields={makeNewKeyFields(names)}
    explain={explainLimit}
    run={async (values) => {
      const { data, key } = await act<"keys.create">(
        session,
        "POST",
        "api/v1/keys",
        toNewKey(values)
      )
      return {
        text: `The key ${data.name} is active.`,
        more: <NewSecret hash={data.hash} secret={key} />,
        undo: async () => {
          await act<"keys.delete">(session, "DELETE", `api/v1/keys/${data.hash}`)
          return "The key is deleted again."
        }
      }
    }}
    onDone={reload}
  />
)

/** The secret of a key, and the request that tries it. */
export const NewSecret = ({ hash, secret }: { readonly hash: string; readonly secret: string }) => {
  const models = useApi<"models.list">("api/v1/models", { limit: 1 })
  const curl = toCurl("chat", {
    model: models.data?.data[0]?.id ?? "MODEL",
    messages: [{ role: "user", content: "Hello" }]
  }).replace("$SIGNALBOX_API_KEY", () => secret)
  return (
    <>
      <Secret text={secret} />
      <p class="muted small">
        Try it, with the address of your API in <code>SIGNALBOX_URL</code>:
      </p>
      <pre>{curl}</pre>
      <CopyButton label="Copy curl" text={curl} />
      <FirstRequest hash={hash} />
    </>
  )
}

/** Requests that run a model are recorded. */
const FirstRequest = ({ hash }: { readonly hash: string }) => {
  const { data, reload } = useApi<"generations.list">("api/v1/signalbox/generations", {
    key_hash: hash,
    limit: 1
  })
  const first = data?.data[0]
  const isSeen = first !== undefined
  useEffect(() => {
    if (isSeen) return
    const timer = setInterval(reload, 2_000)
    return () => clearInterval(timer)
  }, [isSeen, reload])
  return (
    <p role="status">
      {first === undefined ? (
        <span class="muted">Waiting for its first request to a model…</span>
      ) : (
        <>
          First request seen at {formatTime(first.created_at)}:{" "}
          <a href={toHash(["requests", first.id])}>{first.outcome}</a>
        </>
      )}
    </p>
  )
}
