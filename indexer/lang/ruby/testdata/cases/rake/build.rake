# Expected: three targets with their namespace and the text of desc.
desc "Compile all."
task compile: [:prepare] do
  sh "make"
end

namespace :db do
  desc 'Bring the database up.'
  task :migrate, [:version] => :environment do |t, args|
    Migrator.run(args)
  end

  task "seed"
end
