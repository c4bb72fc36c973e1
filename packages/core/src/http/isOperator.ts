/** Whether a caller may know what all accounts do together. */
import type { Caller } from "../auth/Caller.ts"
import { defaultAccountId } from "../values/ids/AccountId.ts"

/** It is the business of none of them but the host's own. The application itself may always. */
export const isOperator = ({ account, kind }: Caller): boolean =>
  account === defaultAccountId || kind === "host"
