/** The bundles of the options: checked when an instance is made, and provided to what looks them up. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Settings from "./instance/Settings.ts"
import type { Options } from "./Options.ts"
import { CurrentBundles } from "./tenants/auth/bundles/Bundle.ts"
import { BundleGuardrails } from "./tenants/guardrails/BundleGuardrails.ts"
import { WorkspaceStore } from "./tenants/workspaces/WorkspaceStore.ts"
import { suggestNames } from "./values/validation/findNearestName.ts"
import { workspaceUsers } from "./values/Dimension.ts"

/** The settings, with the figures that the usage of customers is read from. */
export const addCustomerPairs = ({
  bundles = {},
  settings = {}
}: Options): Partial<Settings.SettingsShape> => {
  const { rollupPairs = Settings.defaults.rollupPairs } = settings
  // Anything else is refused with the settings.
  return Object.keys(bundles).length === 0 || !Array.isArray(rollupPairs)
    ? settings
    : {
        ...settings,
        rollupPairs: Array.from(new Set([...rollupPairs, "workspace,model", workspaceUsers]))
      }
}

/** Throws a `RangeError` that names the bundle and the field at fault. */
export const layerBundles = ({ bundles = {} }: Options) =>
  Object.keys(bundles).length === 0
    ? Layer.mergeAll(
        Layer.succeed(CurrentBundles, new Map()),
        Layer.succeed(BundleGuardrails, new Map())
      )
    : Layer.unwrap(
        Effect.map(loadBundles, ({ layerDecodedBundles }) => layerDecodedBundles(bundles))
      )

const loadBundles = Effect.promise(() => import("./decodeBundles.ts"))

/** What of the bundles depends on the catalog and on the stored customers. */
export const layerBundleChecks = ({ bundles = {}, models }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const names = Object.keys(bundles)
      if (names.length > 0) yield* (yield* loadBundles).checkBundles({ bundles, models })
      const used = yield* (yield* WorkspaceStore).listBundles()
      const missing = used.find((name) => !names.includes(name))
      if (missing === undefined) return
      throw new RangeError(
        `bundles: customers have the bundle "${missing}", which is not there${
          names.length === 0 ? "" : `; ${suggestNames(missing, names)}`
        } Move them to another bundle before you remove one`
      )
    })
  )
