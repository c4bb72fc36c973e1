/** The option `alerts`, which few hosts have. */
import * as Layer from "effect/Layer"
import { decodeOption } from "./decodeOption.ts"
import { AlertOptionFields, toAlertConfig } from "./domains/alerts/AlertOptions.ts"
import { type AlertConfig, CurrentAlertConfig } from "./domains/alerts/CurrentAlertConfig.ts"
import { CurrentSettledLimits, SettledLimits } from "./engine/ledger/SettledLimits.ts"
import type { Options } from "./Options.ts"

/** Throws a `RangeError` that names the field at fault. */
export const layerAlertConfig = ({ alerts = {} }: Options) => {
  const { onAlert, ...fields } = alerts
  const decoded = decodeOption("alerts", AlertOptionFields, fields)
  const config: AlertConfig = toAlertConfig({
    ...(decoded as typeof fields),
    ...(onAlert === undefined ? undefined : { onAlert })
  })
  return Layer.mergeAll(
    Layer.succeed(CurrentAlertConfig, config),
    Layer.succeed(CurrentSettledLimits, new SettledLimits())
  )
}
