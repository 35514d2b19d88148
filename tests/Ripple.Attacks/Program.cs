using Ripple.Attacks.Roles;
using Ripple.Attacks.Runs;

if (args is [var role, ..] && role.StartsWith("role-", StringComparison.Ordinal))
{
    return await RoleTable.RunAsync(role, args[1..]);
}

if (CommandLine.Parse(args, out string error) is not { } line)
{
    await Console.Error.WriteLineAsync($"{error}\n{CommandLine.Usage}");
    return 2;
}

return await Runner.RunAsync(line);
