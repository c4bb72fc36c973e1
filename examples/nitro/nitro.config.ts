/** A server for Node, with the routes and plugins of this folder. */
import { defineConfig } from "nitro/config"

export default defineConfig({ preset: "node-server", serverDir: "." })
