/** The entry point of `@signalbox/bedrock`. */
export { bedrock, type BedrockOptions } from "./bedrock.ts"
export type { AwsCredentials, AwsCredentialProvider } from "./makeAwsSigner.ts"
