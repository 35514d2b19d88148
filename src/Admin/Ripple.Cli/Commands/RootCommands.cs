using System.CommandLine;

namespace Ripple.Cli.Commands;

/// <summary>The command tree.</summary>
internal static class RootCommands
{
    public static RootCommand Make(CliScope scope)
    {
        var names = new NameArguments(scope);
        var root = new RootCommand(
            "Publishes configuration, shows who has it, rolls back, administers. Exit codes: "
                + "0 done, 1 usage, 2 refused or conflict, 3 wait not held, 4 unauthorised, 5 unreachable, 70 internal, 130 cancelled.")
        {
            scope.Connection,
            scope.Format,
        };
        foreach (Command command in (ReadOnlySpan<Command>)
        [
            ConnectCommands.Connect(scope),
            ConnectCommands.WhoAmI(scope),
            PublishCommand.Make(scope, names),
            EditCommands.Set(scope, names),
            EditCommands.Unset(scope, names),
            ReadCommands.Get(scope, names),
            ReadCommands.Keys(scope, names),
            HistoryCommands.History(scope, names),
            HistoryCommands.Diff(scope, names),
            RollbackCommand.Make(scope, names),
            NodeCommands.Nodes(scope, names),
            NodeCommands.WhoHas(scope, names),
            NodeRevocation.Make(scope, names),
            RegionCommands.Regions(scope),
            RegionCommands.Region(scope, names),
            WaitCommand.Make(scope, names),
            PredicateCommands.Make(scope, names),
            LevelCommands.Make(scope, names),
            ExternalCommands.Make(scope, names),
            ExternalCommands.Report(scope, names),
            AreaCommands.Make(scope, names),
            AreaCommands.Zones(scope, names),
            MonitorCommand.Make(scope, names),
            SpaceCommands.Make(scope, names),
            EventCommands.Emit(scope, names),
            EventCommands.Subscribe(scope, names),
            ApplicationCommands.Make(scope),
            TokenCommands.Make(scope, names),
            RoleCommands.Make(scope, names),
            AuditCommand.Make(scope, names),
            ExportCommand.Make(scope, names),
            ImportCommand.Make(scope, names),
            CompletionCommand.Make(scope),
        ])
        {
            root.Subcommands.Add(command);
        }

        return root;
    }
}
