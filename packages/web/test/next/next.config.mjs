/** Built in `packages/web/test/hosts/next.ts`. */
import { join } from "node:path"

export default { turbopack: { root: join(import.meta.dirname, "../../../..") } }
