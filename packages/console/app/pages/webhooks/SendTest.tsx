/** Sends a test event to a webhook, and says how it went. */
import { act, type Session } from "../../api/request.ts"
import { ActionButton } from "../../components/ActionButton.tsx"
import { describeAttempt } from "../jobs/describeAttempt.ts"
import { toWebhookPath } from "./WebhookActions.tsx"

export const SendTest = ({
  name,
  session,
  url,
  workspace
}: {
  /** Of the workspace. */
  readonly name: string
  readonly workspace: string
  readonly url: string
  readonly session: Session
}) => (
  <ActionButton
    label="Send a test event"
    about={name}
    run={async () => {
      const path = `${toWebhookPath(workspace)}/test`
      const { data } = await act<"webhooks.test">(session, "POST", path)
      const did = data.delivered ? "took" : "did not take"
      return {
        text: `The receiver ${did} the test event: ${describeAttempt(data)}.`,
        isBad: !data.delivered
      }
    }}
    onDone={() => undefined}
  >
    An event of type <code>webhook.test</code> is sent to <code>{url}</code> once, signed as any
    other. A receiver that knows no such event should answer as if it did.
  </ActionButton>
)
