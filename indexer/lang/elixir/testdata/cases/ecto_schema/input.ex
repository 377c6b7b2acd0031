# Expected: the fields and associations of the schema as fields of the module.
defmodule Shop.User do
  use Ecto.Schema

  schema "users" do
    field :name, :string
    field :status, Ecto.Enum, values: [:on, :off]
    field(:age, :integer, default: 0)
    belongs_to :team, Shop.Team
    has_many :posts, Shop.Post, foreign_key: :author_id

    embeds_one :address, Address do
      field :street, :string
    end

    timestamps()
  end

  def changeset(user, attrs), do: cast(user, attrs)

  # No schema: a call like any other.
  def field(name), do: field(name, :string)
end
