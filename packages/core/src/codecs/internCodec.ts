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
import { AccountId } from "../values/ids/AccountId.ts"
import { UserId } from "../values/ids/UserId.ts"
import { WorkspaceId } from "../values/ids/WorkspaceId.ts"
import { VaultId } from "../vaults/VaultId.ts"
import { nullableText, optionalText, optionalTrue } from "../values/schemaFields.ts"
import type { FieldsOf } from "./FieldsOf.ts"

/** An intern to JSON and back. */
export const internCodec: Schema.Codec<Intern, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: InternId,
    version: Schema.Finite,
    account: AccountId,
    workspace: WorkspaceId,
    creator: UserId,
    name: Schema.String,
    description: nullableText,
    instructions: nullableText,
    model: nullableText,
    status: InternStatus,
    progress: Schema.NullOr(
      Schema.Struct({
        label: Schema.String,
        step: Schema.Finite,
        steps: Schema.Finite
      } satisfies FieldsOf<InternProgress>)
    ),
    lastFailureMessage: nullableText,
    hostname: nullableText,
    vault: VaultId,
    attachedVault: Schema.NullOr(VaultId),
    createdAt: Schema.Finite,
    updatedAt: Schema.Finite,
    creation: Schema.Struct({
      key: optionalText,
      fingerprint: Schema.String,
      shouldProvision: Schema.Boolean,
      isReady: Schema.Boolean,
      failures: Schema.Finite,
      problem: optionalText
    } satisfies FieldsOf<InternCreation>),
    run: Schema.Struct({
      number: Schema.Finite,
      kind: Schema.Literals(["none", "provision", "suspend", "destroy"]),
      hasRun: Schema.Boolean,
      name: Schema.String,
      model: nullableText,
      instructions: nullableText,
      completedSteps: Schema.Finite,
      notes: Schema.Array(nullableText),
      failure: optionalText,
      archive: Schema.optionalKey(Schema.Literals(["required", "best_effort", "skipped"])),
      isOrphan: optionalTrue
    } satisfies FieldsOf<InternRun>),
    claim: Schema.optionalKey(
      Schema.Struct({
        owner: Schema.String,
        expiresAt: Schema.Finite
      } satisfies FieldsOf<InternClaim>)
    )
  } satisfies FieldsOf<Intern>)
)
