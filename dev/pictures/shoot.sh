# GitHub's own style sheet on a comment; nothing of it is in the package, and no test needs it.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p build/pictures
.venv/bin/python dev/pictures/write_pages.py build/pictures/pages
cd build/pictures
npm install --silent --no-fund --no-audit --no-save github-markdown-css@5.9.0 marked@18.2.1 puppeteer-core@25.16.0
node ../../dev/pictures/shoot.mjs pages shots

for name in block-of-one forty weakened; do cp "shots/$name-780-light.png" "../../docs/pictures/$name.png"; done
