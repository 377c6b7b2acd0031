# Ünïcödé 🎉 日本語 é (combining): names and lines below are exact.
ÜBER = "🎉🎉🎉"
class Größe
  # 長さを返す。二番目の文。
  def länge(größe)
    größe.länge_von("😀")
  end

  def 名前 = "x"
end
def after_emoji; end
