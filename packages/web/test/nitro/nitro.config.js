/** Built in `packages/web/test/hosts/nitro.ts`. */
import { defineConfig } from "nitro/config"

export default defineConfig({ preset: "node-server", serverDir: "." })
