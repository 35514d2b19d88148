using Quickstart;
using Quickstart.Nodes;

if (args is [NodeProcessSettings.Argument, .. string[] rest])
{
    using var nodes = new NodeProcess(NodeProcessSettings.Parse(rest));
    return await nodes.RunAsync();
}

return await QuickstartCommand.RunAsync(args);
