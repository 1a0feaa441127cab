/** A config that uses every section and every kind of value. */
export const VALID_CONFIG_TEXT = `# a comment
search_space:
  model_name: meta-llama/Meta-Llama-3.1-8B
  hardware_sku: h200_sxm
  gpu_budget: 16
  min_gpu_budget: 2
  deployment_mode: [agg]
  backend:
    - vllm
    - trtllm
  parallel_configs: [{tp: 2, replicas: 4}, {tp: 4}]
  agg_max_num_seqs: [256, 512]
  agg_gpu_memory_utilization: 0.85
  agg_enable_prefix_caching: true
  context_length: 8192
  startup_time: 30.5
  planner_scaling_policy:
    - disabled
    - {enable_throughput_scaling: true, enable_load_scaling: true, throughput_adjustment_interval_seconds: 60, load_adjustment_interval_seconds: 5}
  planner_fpm_sampling: [default, {max_num_fpm_samples: 50, fpm_sample_bucket_size: 9}]
  load_predictor_candidates: [constant_last, {load_predictor: kalman, kalman_r: 3}]
workload: {isl: 1024, osl: 128, request_rate: 2.5, num_request_ratio: 10}
goal:
  target: goodput
  sla: {ttft_ms: 500, itl_ms: 30}
sweep: {max_rounds: 3, parallel_evals: 4, candidates_per_round: null, random_seed: 7, optimizer: random}
perf: {model: table, database: db}
`
