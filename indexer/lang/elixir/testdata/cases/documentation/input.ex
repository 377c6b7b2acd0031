# Copyright 2024 Somebody. All rights reserved.

defmodule Documented do
  @moduledoc ~S"""
  Expected: the first sentence of every documentation, from heredocs, sigils and
  plain strings.

  More that is not taken.
  """

  @doc """
  Runs it. Then stops.

  ## Examples

      iex> def fake(x), do: x
  """
  @doc since: "1.2.0"
  @spec runs(integer) :: :ok
  def runs(_x), do: :ok

  @doc "One line."
  def one_line, do: 1

  @doc ~S'''
  A sigil with \d in it.
  '''
  def sigil, do: 1

  @doc false
  def hidden, do: 1

  @doc """
  ## Heading

  The text below the heading counts.
  """
  def heading, do: 1

  # A comment serves where there is no attribute.
  defp commented, do: 1

  # So does one above a spec.
  @spec above(integer) :: integer
  defp above(x), do: x

  # A comment too far away.

  def undocumented, do: 1

  @deprecated "Use runs/1"
  @doc "Old."
  def old, do: 1

  @doc deprecated: "Use runs/1"
  def older, do: 1

  @doc """
  Interpolates #{@version} and goes on.
  """ |> String.trim()
  def computed, do: 1
end

defmodule Documented.Hidden do
  @moduledoc false
  def still_public, do: 1
end
