/** Sets, changes and deletes the webhook of a workspace, and makes signing secrets. */
import { act, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { FormButton } from "../../components/FormButton.tsx"
import { Secret } from "../../components/Secret.tsx"

/** A rotation needs no more. */
const maxSecrets = 2

export const toWebhookPath = (workspace: string): string =>
  `api/v1/signalbox/workspaces/${encodeURIComponent(workspace)}/webhook`

export const WebhookActions = ({
  name,
  reload,
  secrets,
  session,
  url,
  workspace
}: {
  /** Of the workspace. */
  readonly name: string
  readonly workspace: string
  /** Null: there is none. */
  readonly url: string | null
  /** How many sign events. */
  readonly secrets: number
  readonly session: Session
  readonly reload: () => void
}) => {
  const path = toWebhookPath(workspace)
  const set = (callback_url: string | null) =>
    act<"webhooks.set">(session, "PUT", path, { callback_url })
  return (
    <div class="row-actions">
      <FormButton
        label={url === null ? "Set webhook" : "Change webhook"}
        about={name}
        fields={[
          { name: "url", label: "URL", kind: "text", isRequired: true, hint: "https, public" }
        ]}
        initial={{ url: url ?? "" }}
        explain={() =>
          `Events from now on go there, at least once each; those that wait keep their address.${
            secrets === 0 ? " They are unsigned until there is a signing secret." : ""
          }`
        }
        run={async ({ url: given = "" }) => {
          await set(given.trim())
          return {
            text: "The webhook is set.",
            undo: async () => {
              await set(url)
              return url === null ? "There is no webhook again." : "The webhook is as it was."
            }
          }
        }}
        onDone={reload}
      />
      {secrets < maxSecrets && (
        <ActionButton
          label="Create signing secret"
          about={name}
          run={async () => {
            const { secret } = await act<"webhooks.createSecret">(
              session,
              "POST",
              `${path}/secrets`
            )
            return {
              text: "Every event is signed with it from now on.",
              more: <Secret title="Signing secret" text={secret} />
            }
          }}
          onDone={reload}
        >
          {secrets === 0
            ? "Events get signatures, with which their receiver can tell that they are from here."
            : "Every event carries both signatures. Give the new secret to the receiver, then delete the former one."}
        </ActionButton>
      )}
      {(url !== null || secrets > 0) && (
        <ActionButton
          label="Delete webhook"
          isDestructive
          about={name}
          run={async () => {
            await act<"webhooks.delete">(session, "DELETE", path)
            return "The webhook is deleted."
          }}
          onDone={reload}
        >
          {url !== null && (
            <>
              No more events go to <code>{url}</code>.{" "}
            </>
          )}
          {secrets > 0 && "Its signing secrets are deleted, too, and cannot be brought back."}
        </ActionButton>
      )}
    </div>
  )
}
