/** Keys with their limits and usage, and the audit log. */
import type { PageProps } from "../../shell/Page.ts"
import { AuditLog } from "./AuditLog.tsx"
import { KeyList } from "./KeyList.tsx"

export const KeysPage = ({ session }: PageProps) => (
  <>
    <KeyList session={session} />
    <AuditLog />
  </>
)
