/** Reads every key of the account, page by page. */
import type { Key } from "@signalbox/client"
import { callInstance } from "../instance/callInstance.ts"
import type { Instance } from "../instance/instanceFlags.ts"
import { showProgress } from "../output/progress.ts"

/** `workspace` undefined: all of them. */
export const downloadKeys = (instance: Instance, workspace?: string) =>
  callInstance(instance, async (client, signal) => {
    const keys: Array<Key> = []
    const query = {
      include_disabled: true,
      limit: 100,
      ...(workspace === undefined ? undefined : { workspace_id: workspace })
    }
    for await (const page of client.keys.list(query, { signal }).pages()) {
      keys.push(...page.data)
      showProgress(`Reading keys: ${keys.length} of ${page.total_count}`)
    }
    return keys
  })
