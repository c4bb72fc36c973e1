/** The packages are installed in the folder above. */
import { join } from "node:path"

export default { turbopack: { root: join(import.meta.dirname, "..") } }
