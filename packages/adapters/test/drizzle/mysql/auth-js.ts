/**
 * The tables of Auth.js' Drizzle adapter as drizzle-kit makes them of Postern’s schema. It knows no collations: they have the
 * database's own. Auth.js has `timestamp` for the dates, which ends in 2038 and would not keep the contract's.
 */
export const authJsSchema = `
  CREATE TABLE \`user\` (
    \`id\` varchar(255) NOT NULL PRIMARY KEY, \`name\` text, \`email\` varchar(255) UNIQUE,
    \`emailVerified\` datetime(3), \`image\` text
  );
  CREATE TABLE \`account\` (
    \`userId\` varchar(255) NOT NULL, \`type\` varchar(255) NOT NULL, \`provider\` varchar(255) NOT NULL,
    \`providerAccountId\` varchar(255) NOT NULL, \`refresh_token\` text, \`access_token\` text, \`expires_at\` int,
    \`token_type\` text, \`scope\` text, \`id_token\` text, \`session_state\` text,
    PRIMARY KEY(\`provider\`,\`providerAccountId\`),
    FOREIGN KEY (\`userId\`) REFERENCES \`user\`(\`id\`) ON DELETE CASCADE
  );
  CREATE TABLE \`session\` (
    \`sessionToken\` varchar(255) NOT NULL PRIMARY KEY, \`userId\` varchar(255) NOT NULL, \`expires\` datetime(3) NOT NULL,
    FOREIGN KEY (\`userId\`) REFERENCES \`user\`(\`id\`) ON DELETE CASCADE
  );
  CREATE TABLE \`verificationToken\` (
    \`identifier\` varchar(255) NOT NULL, \`token\` varchar(255) NOT NULL, \`expires\` datetime(3) NOT NULL,
    PRIMARY KEY(\`identifier\`,\`token\`)
  );`
