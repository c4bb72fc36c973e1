/** What a request asks of a model. */
export type OperationName = "decisions" | "videos" | "chat"
