// GitHub's own client stores a zip and a file, replaces the zip, and reads both back: `node store.mjs FOLDER`.
import { DefaultArtifactClient } from "@actions/artifact";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

const [folder] = process.argv.slice(2);
const client = new DefaultArtifactClient();
const zip = await client.uploadArtifact("raggate-menu", [path.join(folder, "run.json")], folder);
await client.deleteArtifact("raggate-menu");
const again = await client.uploadArtifact("raggate-menu", [path.join(folder, "run.json")], folder);
const page = await client.uploadArtifact("ignored", [path.join(folder, "page.html")], folder, { skipArchive: true });
const { artifacts } = await client.listArtifacts();
const digest = createHash("sha256").update(readFileSync(path.join(folder, "page.html"))).digest("hex");
console.log("\n" + JSON.stringify({ zip, again, page, artifacts, digest }));
