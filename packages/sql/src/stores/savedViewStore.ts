/** Saved views of workspaces. */
import { type SavedView, SavedViewStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { makeOwnedStore } from "../rows/makeOwnedStore.ts"

export const savedViewStore: Layer.Layer<SavedViewStore, never, SqlClient.SqlClient> = Layer.effect(
  SavedViewStore,
  Effect.map(SqlClient.SqlClient, (sql) => makeOwnedStore<SavedView>(sql, "saved_views"))
)
