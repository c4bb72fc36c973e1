/** Handlers of the operations on saved views. */
import { identity } from "effect/Function"
import { SavedViews } from "../../domains/views/SavedViews.ts"
import type { Handlers } from "../operation/Handler.ts"
import { resourceHandlers } from "../operation/resourceHandlers.ts"
import type { SavedViewsApi } from "./SavedViewsApi.ts"

export const savedViewsHandlers = SavedViews.useSync((views): Handlers<typeof SavedViewsApi> =>
  resourceHandlers("id", views, identity)
)
