# 漢字 🎉 é: names and lines behind text outside ASCII are exact.
größe() { echo "🎉 é"; }
text='日本語
複数行'
ASCII_NAME="ü" # ü
grüße_an() { größe "$text"; }
