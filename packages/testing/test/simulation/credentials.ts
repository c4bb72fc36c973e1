/** The credentials that calls of a provider come with. */
import type { ChatCall } from "@signalbox/core/upstream"
import * as Redacted from "effect/Redacted"

/** A call that came with the credential of a customer. */
export interface CredentialUse {
  /** What the prompt names, which is the request of a client. */
  readonly request: string
  readonly credential: string
}

/** Undefined: the host's own. */
export const readCredential = ({ credential }: Pick<ChatCall, "credential">): string | undefined =>
  credential === undefined ? undefined : Redacted.value(credential)
