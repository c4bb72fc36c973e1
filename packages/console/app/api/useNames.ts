/** The names of keys and workspaces, which other operations name by their ids. */
import { formatId } from "../format/formatId.ts"
import { useApi } from "./useApi.ts"

export interface Names {
  readonly toKeyName: (hash: string) => string
  readonly toWorkspaceName: (id: string) => string
}

/** The first hundred of each; of others the id is shown. */
export const useNames = (): Names => {
  const keys = useApi<"keys.list">("api/v1/keys", { include_disabled: "true", limit: 100 })
  const workspaces = useApi<"workspaces.list">("api/v1/workspaces", { limit: 100 })
  return {
    toKeyName: (hash) => keys.data?.data.find((key) => key.hash === hash)?.name ?? formatId(hash),
    toWorkspaceName: (id) =>
      workspaces.data?.data.find((workspace) => workspace.id === id)?.name ?? formatId(id)
  }
}
