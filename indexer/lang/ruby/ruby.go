package ruby
