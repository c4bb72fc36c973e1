/** The client with all operations of the contract. */
import { type ClientOptions, connect } from "./Connection.ts"
import { makeGroups } from "./generated/groups.ts"

/** Every operation by its group, and `decide`, which is `decisions.create`. */
export type Client = ReturnType<typeof createClient>

/**
 * Makes a client. It requests nothing until an operation is called.
 *
 * ```ts
 * const client = createClient({ baseUrl: "https://example.com/ai", apiKey: "sk-my-first-key" })
 * const { data } = await client.keys.getCurrent()
 * ```
 *
 * A page that needs few operations is smaller with their groups alone: `chat(connect(options))`. Throws a `RangeError` for
 * an API key that no header can carry.
 */
export const createClient = (options: ClientOptions) => {
  const groups = makeGroups(connect(options))
  return { ...groups, decide: groups.decisions.create }
}
