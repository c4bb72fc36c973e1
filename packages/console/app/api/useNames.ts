/** The names of keys and workspaces, which other operations name by their ids. */
import { formatId } from "../format/formatId.ts"
import { useApi } from "./useApi.ts"

interface Named {
  readonly id: string
  readonly name: string
}

export interface Names {
  readonly keys: ReadonlyArray<Named>
  readonly workspaces: ReadonlyArray<Named>
  readonly toKeyName: (hash: string) => string
  readonly toWorkspaceName: (id: string) => string
}

/** The first hundred of each; of others the id is shown. */
export const useNames = (): Names => {
  const keys = useApi<"keys.list">("api/v1/keys", { include_disabled: "true", limit: 100 })
  const workspaces = useApi<"workspaces.list">("api/v1/workspaces", { limit: 100 })
  const names = {
    keys: keys.data?.data.map(({ hash, name }) => ({ id: hash, name })) ?? [],
    workspaces: workspaces.data?.data ?? []
  }
  return {
    ...names,
    toKeyName: (hash) => findName(names.keys, hash),
    toWorkspaceName: (id) => findName(names.workspaces, id)
  }
}

const findName = (named: ReadonlyArray<Named>, id: string): string =>
  named.find((each) => each.id === id)?.name ?? formatId(id)
