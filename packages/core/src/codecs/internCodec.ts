/** An intern, to JSON and back. */
import * as Schema from "effect/Schema"
import type {
  Intern,
  InternClaim,
  InternCreation,
  InternProgress,
  InternRun
} from "../interns/Intern.ts"
import { InternId } from "../interns/InternId.ts"
import { InternStatus } from "../interns/InternStatus.ts"
import { AccountId } from "../values/AccountId.ts"
import { UserId } from "../values/UserId.ts"
import { WorkspaceId } from "../values/WorkspaceId.ts"
import { VaultId } from "../vaults/VaultId.ts"
import { type FieldsOf, flag, text, textOrNull } from "./fieldsOf.ts"

/** An intern to JSON and back. */
export const internCodec: Schema.Codec<Intern, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: InternId,
    turn: Schema.Finite,
    account: AccountId,
    workspace: WorkspaceId,
    creator: UserId,
    name: Schema.String,
    description: textOrNull,
    instructions: textOrNull,
    model: textOrNull,
    status: InternStatus,
    progress: Schema.NullOr(
      Schema.Struct({
        label: Schema.String,
        step: Schema.Finite,
        steps: Schema.Finite
      } satisfies FieldsOf<InternProgress>)
    ),
    lastFailureMessage: textOrNull,
    hostname: textOrNull,
    vault: VaultId,
    attachedVault: Schema.NullOr(VaultId),
    createdAt: Schema.Finite,
    updatedAt: Schema.Finite,
    creation: Schema.Struct({
      key: text,
      fingerprint: Schema.String,
      provisions: Schema.Boolean,
      isReady: Schema.Boolean,
      failures: Schema.Finite,
      problem: text
    } satisfies FieldsOf<InternCreation>),
    run: Schema.Struct({
      number: Schema.Finite,
      kind: Schema.Literals(["none", "provision", "suspend", "destroy"]),
      hasRun: Schema.Boolean,
      name: Schema.String,
      model: textOrNull,
      instructions: textOrNull,
      done: Schema.Finite,
      notes: Schema.Array(textOrNull),
      failure: text,
      archive: Schema.optionalKey(Schema.Literals(["required", "tried", "skipped"])),
      isOrphan: flag
    } satisfies FieldsOf<InternRun>),
    claim: Schema.optionalKey(
      Schema.Struct({
        by: Schema.String,
        until: Schema.Finite
      } satisfies FieldsOf<InternClaim>)
    )
  } satisfies FieldsOf<Intern>)
)
