/** An event on its way to a receiver, to JSON and back. */
import * as Schema from "effect/Schema"
import { AccountId } from "../values/ids/AccountId.ts"
import {
  type Delivery,
  type DeliveryAttempt,
  deliveryErrors,
  deliveryStates
} from "../webhooks/Delivery.ts"
import { type FieldsOf, optionalNumber } from "./codecFields.ts"

/** An event on its way to a receiver to JSON and back. */
export const deliveryCodec: Schema.Codec<Delivery, Schema.Json> = Schema.toCodecJson(
  Schema.Struct({
    id: Schema.String,
    account: AccountId,
    workspace: Schema.String,
    type: Schema.String,
    url: Schema.String,
    isWorkspaceUrl: Schema.Boolean,
    body: Schema.String,
    createdAt: Schema.Finite,
    state: Schema.Literals(deliveryStates),
    version: Schema.Finite,
    failures: Schema.Finite,
    nextAttemptAt: optionalNumber,
    endedAt: optionalNumber,
    attempts: Schema.Array(
      Schema.Struct({
        at: Schema.Finite,
        durationMillis: Schema.Finite,
        status: optionalNumber,
        error: Schema.optionalKey(Schema.Literals(deliveryErrors))
      } satisfies FieldsOf<DeliveryAttempt>)
    )
  } satisfies FieldsOf<Delivery>)
)
