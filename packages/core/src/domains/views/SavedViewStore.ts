/** Stores saved views. A port. */
import * as Context from "effect/Context"
import type { OwnedStore } from "../../instance/OwnedStore.ts"
import type { SavedView } from "./SavedView.ts"

/** Stores saved views. */
export class SavedViewStore extends Context.Service<SavedViewStore, OwnedStore<SavedView>>()(
  "@signalbox/core/domains/views/SavedViewStore"
) {}
