/** Creates the tables of calibration: secrets of accounts, labels of answers, and maps. */
export const calibration = (): ReadonlyArray<string> => [
  `CREATE TABLE calibration_accounts (
    account text PRIMARY KEY,
    secret text NOT NULL,
    epoch bigint NOT NULL
  )`,
  `CREATE TABLE calibration_samples (
    generation text NOT NULL,
    name text NOT NULL,
    model text NOT NULL,
    account text NOT NULL,
    method text NOT NULL,
    kind text NOT NULL,
    question text NOT NULL,
    asked_at bigint NOT NULL,
    labeled_at bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (generation, name, model)
  )`,
  `CREATE INDEX calibration_samples_by_group
    ON calibration_samples (account, model, method, kind, labeled_at)`,
  `CREATE INDEX calibration_samples_by_question
    ON calibration_samples (account, question, labeled_at)`,
  `CREATE INDEX calibration_samples_by_age ON calibration_samples (asked_at)`,
  `CREATE TABLE calibration_maps (
    account text NOT NULL,
    model text NOT NULL,
    method text NOT NULL,
    kind text NOT NULL,
    fitted_at bigint NOT NULL,
    document text NOT NULL,
    PRIMARY KEY (account, model, method, kind)
  )`,
  `CREATE INDEX calibration_maps_by_age ON calibration_maps (fitted_at)`
]
