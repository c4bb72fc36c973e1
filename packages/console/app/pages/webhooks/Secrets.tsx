/** The signing secrets of a workspace, masked. */
import type { OperationResponse } from "@signalbox/core/contract"
import { act, isAllowed, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { Time } from "../../components/Time.tsx"
import { toWebhookPath } from "./WebhookActions.tsx"

export const Secrets = ({
  name,
  reload,
  secrets,
  session,
  workspace
}: {
  readonly name: string
  readonly workspace: string
  readonly secrets: OperationResponse<"webhooks.listSecrets">["data"]
  readonly session: Session
  readonly reload: () => void
}) =>
  secrets.length === 0 ? null : (
    <ul class="secrets small">
      {secrets.map(({ created_at: at, id, label }) => (
        <li key={id}>
          Signed with <code>{label}</code>{" "}
          <span class="muted">
            of <Time at={at} />
          </span>{" "}
          {isAllowed(session, "webhooks") && (
            <ActionButton
              label="Delete secret"
              isDestructive
              about={`${label} of ${name}`}
              run={async () => {
                const path = `${toWebhookPath(workspace)}/secrets/${encodeURIComponent(id)}`
                await act<"webhooks.deleteSecret">(session, "DELETE", path)
                return "Events are not signed with it any more."
              }}
              onDone={reload}
            >
              {secrets.length === 1
                ? "Events are unsigned from then on: a receiver that checks signatures refuses them."
                : "Events carry the signature of the other secret alone: the receiver must have that one."}
            </ActionButton>
          )}
        </li>
      ))}
    </ul>
  )
