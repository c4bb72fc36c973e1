/** The prompt and the answer of a request, kept sealed for the callers that may read its record. */
import * as Schema from "effect/Schema"
import { SealedSecret } from "../../engine/secrets/Sealer.ts"
import { GenerationId } from "../../values/ids/GenerationId.ts"
import { AccountId, KeyHash, WorkspaceId } from "../../values/ids/Ids.ts"
import { optionalText, optionalTrue, UnknownJson } from "../../values/schemaFields.ts"

/** Kept content as stores have it: whom it belongs to, and the sealed document. */
export const KeptContent = Schema.Struct({
  /** Of the generation. */
  id: GenerationId,
  account: AccountId,
  workspace: WorkspaceId,
  keyHash: Schema.optionalKey(KeyHash),
  /** The acting user. */
  user: optionalText,
  /** The `user` of the request. */
  externalUser: optionalText,
  /** Milliseconds since the epoch. */
  keptAt: Schema.Finite,
  expiresAt: Schema.Finite,
  /** A `ContentDocument` in JSON. */
  sealed: SealedSecret
})
export type KeptContent = typeof KeptContent.Type

/** What is sealed: the content in the form of the I/O log, without secrets and inline media. */
export const ContentDocument = Schema.Struct({
  input: UnknownJson,
  output: Schema.optionalKey(UnknownJson),
  /** `output` is only the beginning of a long stream. */
  isTruncated: optionalTrue
})
export type ContentDocument = typeof ContentDocument.Type

/** Binds a seal to its place, so that a row of another account or another request does not open. */
export const toSealContext = ({
  account,
  id
}: Pick<KeptContent, "account" | "id">): ReadonlyArray<string> => ["content", account, id]
